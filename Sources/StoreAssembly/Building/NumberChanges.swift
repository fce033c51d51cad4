import SQLiteFileBuilder

/// Changes of numbers on disk that can be undone.
struct NumberChanges {
    private var former: [(file: NumberFile, place: Int64, number: Int64)] = []

    mutating func set(_ number: Int64, at place: Int64, in file: NumberFile) throws(BuildError) {
        former.append((file, place, try file.number(at: place)))
        try file.set(number, at: place)
    }

    mutating func undo() throws(BuildError) {
        for (file, place, number) in former.reversed() { try file.set(number, at: place) }
        removeAll()
    }

    mutating func removeAll() { former.removeAll(keepingCapacity: true) }
}
