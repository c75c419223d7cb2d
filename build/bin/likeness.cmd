@echo off
rem The command line of Likeness Studio. Everything after "--" is ours; Chromium reads no switches behind it.
"%~dp0..\..\Likeness Studio.exe" --cli -- %*
