/// Which places of a row are in memory, and where: all of them, or those that were asked for, the version among them.
struct ReadColumns {
    /// How many there are.
    let count: Int
    /// By the place in a row; -1 for one that is not read. Empty if all are.
    private let places: [Int]

    /// All places of a row.
    init(width: Int) {
        count = width
        places = []
    }

    /// The version, and some others.
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

    /// The places that are read; of a part.
    var positions: [Int] { places.indices.filter { places[$0] >= 0 } }

    func has(_ positions: Range<Int>) -> Bool {
        isWhole || positions.allSatisfy { places[$0] >= 0 }
    }

    /// Where a value stands; nil if it is not read.
    func place(of position: Int) -> Int? {
        guard !places.isEmpty else { return position }
        let place = places[position]
        return place < 0 ? nil : place
    }
}
