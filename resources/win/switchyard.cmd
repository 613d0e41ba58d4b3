@echo off
rem The command of the package for Windows (docs/reference/command-line.md#of-a-desktop-package). Without a word it opens the window.
if "%~1"=="" goto window
start "" /b /wait "%~dp0..\Switchyard.exe" --command-line -- %*
exit /b %errorlevel%
:window
start "" "%~dp0..\Switchyard.exe"
