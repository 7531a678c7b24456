# Versions of basics/11_message_passing.cu with one half of the order gone, in which race mode must
# find a race.
s/store(1, cuda::memory_order_release);  \/\/ the number is before the flag/store(1, cuda::memory_order_relaxed);/
s/^        while (Flag(\*d_flag).load(cuda::memory_order_acquire)/        while (Flag(*d_flag).load(cuda::memory_order_relaxed)/
s/__threadfence();  \/\/ the sender's fence//
s/__threadfence();  \/\/ the receiver's fence//
s/__syncthreads();  \/\/ all numbers are written.*//
s/__syncthreads();  \/\/ all threads wait for thread 0//
