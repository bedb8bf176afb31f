"""The pure core: mappings in, findings and edits out; it opens, prints, exits and configures nothing."""
