/// The types and places of the first values of a record, as many as are wanted.
struct ValuePlaces {
    struct Place {
        var type: UInt64 = SerialType.null
        /// The offset of the first byte.
        var start = 0
    }

    private var places: [Place]
    /// All values of the record.
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

    /// The place at a position below `count` and what is wanted.
    @inline(__always)
    subscript(position: Int) -> Place { places[position] }
}
