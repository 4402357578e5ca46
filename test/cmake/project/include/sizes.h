#ifndef TILE
#error the definition did not arrive
#endif
constexpr int cells_of_tile = TILE;
