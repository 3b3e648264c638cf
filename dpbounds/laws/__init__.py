"""Laws of the privacy loss, one file or a few for each: what the contour engine needs to know about a mechanism."""
