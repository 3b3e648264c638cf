"""What a verdict rests on: certificates, proof documents, and their replay."""
