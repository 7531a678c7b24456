// What NVIDIA's samples expect of their helper_functions.h, with the headers of C++ that theirs
// includes.
#pragma once

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"
