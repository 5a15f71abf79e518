"""The laptop's ACL: headers and a library with which programs for aclnn operators compile and run without a chip."""
