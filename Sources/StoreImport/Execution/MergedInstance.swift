import RecordConversion

/// What an object has of which several instances of a batch are, as far as these tell: what the next one changes is
/// found without the store.
struct MergedInstance {
    /// The values of the attributes; nil if it is not known what the object has.
    var cells: [ConvertedValue?]
    /// The files whose bytes are the values.
    var files: [BinaryFile?]
    /// The destinations of the to-ones, 0 for none; nil if it is not known.
    var toOnes: [Int64?]
    /// Whether an instance so far waits for the destination of a to-one.
    var waits: [Bool]

    /// Begins with the instance that leads.
    ///
    /// - Parameter isRejected: whether what its record says of the object was not written.
    init(_ leader: Int, of instances: ObjectInstances, isRejected: Bool) {
        let isNew = instances.states[leader] == .inserted || !isRejected && instances.makers.contains(leader)
        cells = (0..<instances.attributeCount).map { position in
            isNew || !isRejected && instances.isPresent(leader, position) ? instances.cell(leader, position) : nil
        }
        files = (0..<instances.attributeCount).map { instances.file(leader, $0) }
        let places = leader * instances.toOneCount..<(leader + 1) * instances.toOneCount
        // Of a new object that waits there is no destination yet.
        toOnes = places.map { place in
            isNew
                ? max(0, instances.toOneKeys[place])
                : !isRejected && instances.toOnePresent[place] ? instances.toOneKeys[place] : nil
        }
        waits = places.map { !isRejected && instances.toOneKeys[$0] == ObjectInstances.waitingKey }
    }

    /// An instance has changed the object.
    mutating func take(_ instance: Int, of instances: ObjectInstances, _ changes: Set<Int>) {
        for position in changes {
            if position < cells.count {
                cells[position] = instances.cell(instance, position)
                files[position] = instances.file(instance, position)
            } else {
                toOnes[position - cells.count] =
                    instances.toOneKeys[instance * toOnes.count + position - cells.count]
            }
        }
    }
}
