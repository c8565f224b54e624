# shellcheck shell=bash
# Debian systems in a folder, to try things in. Sourced after common.sh; needs root. A system's
# mounts are in a separate namespace and end with it, so that removing the folder never removes
# files through a mount. Not here: making a system (debootstrap).

# connect_system ROOT SUITE MIRROR: the system reaches the archive as this machine does (proxies,
# certificates).
connect_system() {
   echo "deb $3 $2 main" >"$1/etc/apt/sources.list"
   apt-config dump | grep '^Acquire::' >"$1/etc/apt/apt.conf.d/90host"
   cp -L /etc/resolv.conf /etc/hosts "$1/etc/" || die "cannot write to $1/etc"
   # Some networks sign with a certificate of their own, which npm must trust in the system, too.
   if [ -n "$(ls /usr/local/share/ca-certificates 2>/dev/null)" ]; then
      cp -rL /usr/local/share/ca-certificates "$1/usr/local/share/" &&
         chroot "$1" update-ca-certificates >/dev/null 2>&1 ||
         die "cannot make $1 trust the certificates of this machine"
   fi
}

# inside ROOT FOLDER CCACHE COMMAND...: runs the command in that folder of the system; CCACHE is a
# folder of compiled objects or empty. The system has only the devices that every system has: others
# of the host (a GPU) must not matter.
inside() {
   # shellcheck disable=SC2016 # expanded in the namespace
   unshare --mount --pid --fork --kill-child /bin/bash -c '
      root=$1 folder=$2 ccache=$3; shift 3
      mount -t proc proc "$root/proc" &&
         mount -t tmpfs -o mode=755 tmpfs "$root/dev" &&
         mkdir "$root/dev/shm" "$root/dev/pts" &&
         mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm" &&
         mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts" &&
         ln -s pts/ptmx "$root/dev/ptmx" && ln -s /proc/self/fd "$root/dev/fd" || exit 125
      for device in null zero full random urandom tty; do
         cp -a "/dev/$device" "$root/dev/" || exit 125
      done
      if [ -n "$ccache" ]; then
         mkdir -p "$root/ccache" && mount --bind "$ccache" "$root/ccache" || exit 125
      fi
      exec chroot "$root" env -i HOME=/root TERM=dumb LANG=C.UTF-8 \
         PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
         ${ccache:+CCACHE_DIR=/ccache} \
         /bin/bash -c "cd $folder && \"\$@\"" bash "$@"' bash "$@" </dev/null
}
