// vendor_names.h: names that two vendors may well have in common. None of them says anything of its visibility.
#pragma once

int vendor_helper();

inline int vendor_value = APART_VALUE;

template <class T>
struct VendorCache {
  static T value;
};
template <class T>
T VendorCache<T>::value = APART_VALUE;
