import SQLiteFileBuilder

/// Gathers what lists say of the owners of the objects in them, where several mappings say these owners: those of one
/// side of a one-to-many relationship, or of both.
final class SharedListBuild: ListBuild {
    /// The object, the row's turn, one more than the place in its list or 0 for a to-one, the row, the owner or 0 for none.
    private let sayings: TupleSorter
    private let memory: SpoolMemory
    override init(_ list: AssembledList, _ memory: SpoolMemory) throws(BuildError) {
        sayings = TupleSorter(width: 5, memory)
        self.memory = memory
        try super.init(list, memory)
    }

    override func takeKnown() throws(BuildError) {
        try list.forEachKnown { (row, ordinal, destination) throws(BuildError) in
            if let owner = try owners.owner(of: row), let destination = try list.destination.leader(of: destination) {
                try add(destination, of: owner, named: ordinal, by: row)
            }
        }
    }

    override func take(_ reference: ReferenceEntry, of owner: Int64, _ destination: Int64) throws(BuildError) {
        try add(destination, of: owner, named: reference.ordinal, by: reference.owner)
    }

    private func add(_ destination: Int64, of owner: Int64, named ordinal: Int64, by row: Int64) throws(BuildError) {
        try sayings.add([destination, try list.owner.turn(of: row), ordinal + 1, row, owner])
    }

    /// Adds what a row says of its own to-one.
    ///
    /// - Parameter owner: 0 for none.
    func addToOne(of object: Int64, row: Int64, owner: Int64) throws(BuildError) {
        try sayings.add([object, try list.destination.turn(of: row), 0, row, owner])
    }

    /// What is said of each object, in the order of the records; it is gone then.
    func takeSayings() throws(BuildError) -> TupleCursor { try sayings.sorted() }

    /// By owner, the turn of the last row that says what its list is, where that ends what was said before: the row that
    /// makes an object ends nothing.
    func ends() throws(BuildError) -> PairFile? {
        guard let last = owners.last else { return nil }
        let sorter = PairSorter(memory)
        let cursor = try last.cursor()
        while let row = cursor.first {
            if row != cursor.second { try sorter.add(cursor.second, list.owner.turn(of: row)) }
            try cursor.advance()
        }
        return try sorter.sorted()
    }
}
