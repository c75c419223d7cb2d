#!/bin/sh
# RHVoice and some of its voices, in a folder of their own: sh rhvoice.sh <folder>
# They are Debian 13's (non-free: the voices are trained networks without their recordings), and this is Debian 12. So
# nothing is installed: the packages are unpacked together with the C library that they need. Where from is where this
# machine's apt takes Debian from.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial" "$folder/configuration" "$folder/root"
cd "$folder"
mirror=$(apt-get indextargets --format '$(SITE)' 'Codename: bookworm' 'Created-By: Packages' | head -1)
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main non-free" > sources.list
apt() {
  apt-get -o "Dir::Etc::sourcelist=$PWD/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$PWD/lists" \
    -o "Dir::Cache=$PWD/cache" -o APT::Sandbox::User=root "$@"
}
apt update -q
apt download -q librhvoice5 librhvoice-core10 librhvoice-dev rhvoice-english rhvoice-polish libc6 libgcc-s1 libstdc++6 libsonic0
for package in *.deb; do dpkg-deb -x "$package" root; done
# whole sentences at once: only then are the lengths of all their phones known together
echo quality=max > configuration/RHVoice.conf
cc -O2 -rdynamic -I root/usr/include -o rhvoice_phones "$here/rhvoice_phones.c" -ldl
