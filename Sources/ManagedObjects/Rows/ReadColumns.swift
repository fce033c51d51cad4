/// Which positions of a row are in memory, and where: all of them, or the requested ones and the version.
struct ReadColumns {
    /// The number of positions in memory.
    let count: Int
    /// The places in memory by position; -1 for one that is not read. Empty if all are read.
    private let places: [Int]

    /// All positions of a row.
    init(width: Int) {
        count = width
        places = []
    }

    /// The version, and some other positions.
    init(width: Int, _ positions: Set<Int>) {
        var places = [Int](repeating: -1, count: width)
        var count = 0
        for position in 0..<width where position == 0 || positions.contains(position) {
            places[position] = count
            count += 1
        }
        self.count = count
        self.places = places
    }

    var isWhole: Bool { places.isEmpty }

    /// The positions that are read, for a part of a row.
    var positions: [Int] { places.indices.filter { places[$0] >= 0 } }

    func has(_ positions: Range<Int>) -> Bool {
        isWhole || positions.allSatisfy { places[$0] >= 0 }
    }

    /// Returns the place of a value; nil if it is not read.
    func place(of position: Int) -> Int? {
        guard !places.isEmpty else { return position }
        let place = places[position]
        return place < 0 ? nil : place
    }
}
