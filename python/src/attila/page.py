"""How every HTML file of this project begins: one file that opens without a network, and whoever
opens it can be sure that it fetches nothing and sends nothing. Not here: styles and contents."""

import html

POLICY = ("default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
          "img-src data:")


def page(title, style, body):
    """The file's text; title is plain text, style is CSS, body is HTML."""
    return """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="%s">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<link rel="icon" href="data:,">
<style>%s</style>
</head>
<body>
%s
</body>
</html>
""" % (POLICY, html.escape(title), style, body)
