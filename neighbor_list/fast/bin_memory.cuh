// The device memory of ghost_bins.
#pragma once

#include <algorithm>
#include <cstddef>

#include "common/device_array.cuh"
#include "common/shared_memory.cuh"
#include "harness/poison.cuh"
#include "neighbor_list/fast/bin_grid.cuh"

// The tiles' memory on the device, for N > 0 atoms: up to 68 bytes per atom (132 with double), and
// the starts.
template <typename T>
class BinMemory {
  public:
    BinMemory(const BinGrid<T>& bins, int N) {
        tiles.N = N;
        tiles.bins = bins.bins();
        starts_ =
            common::DeviceArray<unsigned short>(std::size_t{tiles.tiles()} * (tiles.bins + 1));
        places_ = common::DeviceArray<unsigned short>(N);
        slots_ = common::DeviceArray<BinSlot<T>>(tiles.first_slot(tiles.tiles()));
        tiles.d_starts = starts_.data();
        tiles.d_places = places_.data();
        tiles.d_slots = slots_.data();
        // All copies of a usual tile, where they fit.
        const std::size_t per_copy = tile_bytes(bins, 1) - tile_bytes(bins, 0);
        const std::size_t fit = (common::max_shared_memory() - tile_bytes(bins, 0)) / per_copy;
        tiles.staged = static_cast<unsigned>(std::min<std::size_t>(tile_size / 8 * 9, fit)) / 4 * 4;
    }

    void poison() {
        harness::poison(starts_);
        harness::poison(places_);
        harness::poison(slots_);
    }

    BinTiles<T> tiles{};

  private:
    common::DeviceArray<unsigned short> starts_;
    common::DeviceArray<unsigned short> places_;
    common::DeviceArray<BinSlot<T>> slots_;
};
