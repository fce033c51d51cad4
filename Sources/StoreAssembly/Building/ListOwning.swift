import SQLiteFileBuilder

/// The owners of objects that require one, while records set the lists of these owners one after the other.
final class ListOwning {
    let list: AssembledList
    /// The number of objects of each owner.
    private let counts: NumberFile
    /// The owner of each object; nil if each object is in one list only because it has only one row.
    private let holders: NumberFile?
    /// The numbers that the current record has changed.
    private var changes = NumberChanges()

    /// Whether the objects of the rows are known. Otherwise, they are found while the rows are read.
    private let areKnown: Bool

    /// - Parameter areKnown: whether the objects of the rows are known.
    init(_ list: AssembledList, _ limits: AssemblyLimits, areKnown: Bool) throws(BuildError) {
        self.list = list
        self.areKnown = areKnown
        let path = list.owner.builder.path
        counts = try NumberFile(beside: path, pages: limits.constraintPages)
        holders =
            try areKnown && list.destination.members == nil
            ? nil : NumberFile(beside: path, pages: limits.constraintPages)
    }

    /// Adds tuples for the rows with lists, and for the objects in them. A row has the tuple record, `number`, row, 0,
    /// owner, offset of the note. Each of its objects has the tuple record, `number`, row, ordinal from 1, object, 0.
    /// Objects that are not known yet are given by their rows.
    func add(to sorter: TupleSorter, as number: Int) throws(BuildError) {
        guard let demands = list.demands else { return }
        try demands.notes.finish()
        try demands.records.finish()
        try list.known.finish()
        let (note, record, known) = (
            try demands.notes.cursor(), try demands.records.cursor(), try list.known.cursor()
        )
        while let row = note.first {
            // If objects cannot change their lists, only owners with several rows matter.
            let owner =
                try !areKnown
                ? row : holders == nil ? list.owner.members?.value(of: row) : list.owner.leader(of: row)
            if let owner {
                let place = record.second >> 1
                var ordinal: Int64 = 0
                while try known.seek(row) {
                    if let object = try areKnown ? list.destination.leader(of: known.second) : known.second {
                        ordinal += 1
                        try sorter.add([place, Int64(number), row, ordinal, object, 0])
                    }
                    try known.advance()
                }
                if ordinal > 0 || !list.isConditional(row) {
                    try sorter.add([place, Int64(number), row, 0, owner, note.second])
                }
            }
            try note.advance()
            try record.advance()
        }
    }

    /// Replaces the objects of an owner, and takes them from their former owners. Returns false, and changes nothing,
    /// if this would remove an object from the owner's list.
    func give(_ objects: [Int64], to owner: Int64) throws(BuildError) -> Bool {
        var taken = Set<Int64>()
        var kept: Int64 = 0
        for object in objects {
            if let holders, try holders.number(at: object) == owner {
                if taken.insert(object).inserted { kept += 1 }
            }
        }
        guard try counts.number(at: owner) == kept else { return false }
        for object in objects where taken.insert(object).inserted {
            if let holders {
                let holder = try holders.number(at: object)
                if holder != 0 { try changes.set(counts.number(at: holder) - 1, at: holder, in: counts) }
                try changes.set(owner, at: object, in: holders)
            }
            kept += 1
        }
        try changes.set(kept, at: owner, in: counts)
        return true
    }

    /// Keeps what the current record has changed, when all its lists have been set.
    func keep() { changes.removeAll() }

    /// Undoes what the current record has changed.
    func takeBack() throws(BuildError) { try changes.undo() }
}
