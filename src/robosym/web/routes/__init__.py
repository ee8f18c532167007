"""What the server answers, one file for each room of the page."""
