import SQLiteFileBuilder

/// Which owner has each object that cannot be without one, while records give them lists of these one after the other.
final class ListOwning {
    let list: AssembledList
    /// By owner, the number of its objects.
    private let counts: NumberFile
    /// By object, its owner; nil if each object is in one list only, as each is of one row.
    private let holders: NumberFile?
    /// What a record has changed: numbers before.
    private var changes: [(file: NumberFile, key: Int64, number: Int64)] = []

    init(_ list: AssembledList, _ limits: AssemblyLimits) throws(BuildError) {
        self.list = list
        let path = list.owner.builder.path
        counts = try NumberFile(beside: path, pages: limits.constraintPages)
        holders =
            try list.destination.members == nil ? nil : NumberFile(beside: path, pages: limits.constraintPages)
    }

    /// Adds the rows with lists: record, a number, row, 0, owner, place of the note; and the objects in them, with places
    /// from 1 and 0 for the note.
    func add(to sorter: TupleSorter, as number: Int) throws(BuildError) {
        guard let demands = list.demands, let members = list.owner.members else { return }
        try demands.notes.finish()
        try demands.records.finish()
        try list.known.finish()
        let (note, record, known) = (
            try demands.notes.cursor(), try demands.records.cursor(), try list.known.cursor()
        )
        while let row = note.first {
            // Where objects stay in their lists, other rows are all that say something of their owner.
            let owner = try holders == nil ? members.value(of: row) : list.owner.leader(of: row)
            if let owner {
                let place = record.second >> 1
                try sorter.add([place, Int64(number), row, 0, owner, note.second])
                var ordinal: Int64 = 0
                while try known.seek(row) {
                    if let object = try list.destination.leader(of: known.second) {
                        ordinal += 1
                        try sorter.add([place, Int64(number), row, ordinal, object, 0])
                    }
                    try known.advance()
                }
            }
            try note.advance()
            try record.advance()
        }
    }

    /// Gives an owner its objects, which it takes from others; false if it would leave objects that it has.
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
                if holder != 0 { try set(counts.number(at: holder) - 1, at: holder, in: counts) }
                try set(owner, at: object, in: holders)
            }
            kept += 1
        }
        try set(kept, at: owner, in: counts)
        return true
    }

    private func set(_ number: Int64, at key: Int64, in file: NumberFile) throws(BuildError) {
        changes.append((file, key, try file.number(at: key)))
        try file.set(number, at: key)
    }

    /// A record has given all its lists.
    func keep() { changes.removeAll(keepingCapacity: true) }

    /// Undoes what a record has changed.
    func takeBack() throws(BuildError) {
        for change in changes.reversed() { try change.file.set(change.number, at: change.key) }
        changes.removeAll(keepingCapacity: true)
    }
}
