#include "keyflight_recorder.h"
