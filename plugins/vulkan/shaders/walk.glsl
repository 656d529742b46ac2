// The offsets of an array's elements in the order of some of its axes, as walk.h builds them: `extents` and `strides`
// are in the push constants, axes first ... last - 1 of which the walk goes along.
uint walk(uint i, uint first, uint last) {
  uint sum = 0u;
  for (uint axis = opaque(last); axis-- > first;) {
    sum += i % extents[axis] * strides[axis];
    i /= extents[axis];
  }
  return sum;
}
