"""What several commands share: options, progress, tables."""
