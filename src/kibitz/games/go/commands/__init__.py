"""Commands of the game alone, a file each: the file is named like its command."""
