"""Documents of the proof checker, written from what searches found: nothing here decides, and nothing that it writes is believed."""
