"""The aclnn interface of an operator: what its two functions take and check, from the spec alone."""
