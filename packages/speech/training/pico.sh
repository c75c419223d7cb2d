#!/bin/sh
# Installs SVOX Pico, which is in Debian 12's non-free: sh pico.sh <folder for its lists>
# Where from is where this machine's apt takes Debian from; what that is set to take stays as it is.
set -eu
mkdir -p "$1/lists/partial"
mirror=$(apt-get indextargets --format '$(SITE)' 'Codename: bookworm' 'Created-By: Packages' | head -1)
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror bookworm main non-free" > "$1/sources.list"
apt() {
  apt-get -o "Dir::Etc::sourcelist=$1/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$1/lists" \
    -o APT::Sandbox::User=root "$2" -q -y $3
}
apt "$1" update ""
apt "$1" install libttspico-utils
