"""Noises of the checker beside the built-in ones, a file each: OWN, what else a part may say, and `atoms`, its law."""
