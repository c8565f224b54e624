"""Pages filled in by jinja2: pages/*.html, which open without a network (a policy in
pages/base.html forbids to fetch or send anything), and other texts. Not here: the contents of
pages.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment


@functools.cache
def _environment() -> Environment:
    import jinja2
    return jinja2.Environment(loader=jinja2.PackageLoader("attila", "pages"),
                              autoescape=jinja2.select_autoescape(["html"]), trim_blocks=True,
                              lstrip_blocks=True, keep_trailing_newline=True,
                              undefined=jinja2.StrictUndefined)


def render(name: str, /, **values: Any) -> str:
    """The text of pages/NAME with these values."""
    return _environment().get_template(name).render(**values)
