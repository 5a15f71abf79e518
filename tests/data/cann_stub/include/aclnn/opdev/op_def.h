// A stand-in: nothing of it is used.
#pragma once
