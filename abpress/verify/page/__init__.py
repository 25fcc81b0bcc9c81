"""A run as data that a page in HTML and the stepper of the terminal show."""
