#!/bin/sh
# Messages have colours on a terminal and nowhere else: colours.sh PROGRAM
program=$1
command -v script > /dev/null || { echo "skipped: there is no script (Debian package bsdutils)"; exit 77; }
escape=$(printf '\033[')
on_terminal() { TERM=xterm script -qec "$*" /dev/null < /dev/null; }
fails() { echo "$1: $2" >&2; exit 1; }

shown=$(on_terminal "$program" nonsense)
case $shown in *"${escape}1;31mfemflex:${escape}0m no verb"*) ;; *) fails "no colour on a terminal" "$shown" ;; esac
shown=$(on_terminal env NO_COLOR=1 "$program" nonsense)
case $shown in *"$escape"*) fails "colour in spite of NO_COLOR" "$shown" ;; *"femflex: no verb"*) ;; *) fails "no message" "$shown" ;; esac
shown=$("$program" nonsense 2>&1)
case $shown in *"$escape"*) fails "colour in a pipe" "$shown" ;; *"femflex: no verb"*) ;; *) fails "no message" "$shown" ;; esac
