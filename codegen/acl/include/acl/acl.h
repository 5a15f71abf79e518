// All of ACL that programs with single operators use.
#pragma once

#include <stdio.h>
#include <string.h>

#include "acl/acl_base.h"
#include "acl/acl_rt.h"
