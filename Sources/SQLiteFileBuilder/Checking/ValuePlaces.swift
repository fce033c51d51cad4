/// The types and places of a record's first values, as many as are needed.
struct ValuePlaces {
    struct Place {
        var type: UInt64 = SerialType.null
        /// The offset of the value's first byte.
        var start = 0
    }

    private var places: [Place]
    /// The number of all values in the record.
    private(set) var count = 0

    init(wanted: Int) {
        places = [Place](repeating: Place(), count: wanted)
    }

    mutating func begin() { count = 0 }

    @inline(__always)
    mutating func add(_ type: UInt64, at start: Int) {
        if count < places.count { places[count] = Place(type: type, start: start) }
        count += 1
    }

    /// The place of the value at a position, which must be less than `count` and the number of values that are needed.
    @inline(__always)
    subscript(position: Int) -> Place { places[position] }
}
