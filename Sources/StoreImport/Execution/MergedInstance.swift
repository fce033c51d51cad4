import RecordConversion

/// The values of an object that several instances of a batch have, as far as these instances determine them. With them,
/// the changes of the next instance are found without reading the store.
struct MergedInstance {
    /// The values of the attributes; nil for values that are not known.
    var cells: [ConvertedValue?]
    /// The files whose bytes are the values.
    var files: [BinaryFile?]
    /// The destinations of the to-one relationships, 0 if there is none; nil for destinations that are not known.
    var toOnes: [Int64?]
    /// For each to-one relationship, whether an instance so far waits for its destination.
    var waits: [Bool]

    /// Begins with the first instance of the object.
    ///
    /// - Parameters:
    ///   - leader: the first instance.
    ///   - instances: the instances of the batch.
    ///   - isRejected: whether the record of the instance was rejected, so that its values were not written.
    init(_ leader: Int, of instances: ObjectInstances, isRejected: Bool) {
        let isNew = instances.states[leader] == .inserted || !isRejected && instances.makers.contains(leader)
        cells = (0..<instances.attributeCount).map { position in
            isNew || !isRejected && instances.isPresent(leader, position) ? instances.cell(leader, position) : nil
        }
        files = (0..<instances.attributeCount).map { instances.file(leader, $0) }
        let places = leader * instances.toOneCount..<(leader + 1) * instances.toOneCount
        // A new object whose link waits has no destination yet.
        toOnes = places.map { place in
            isNew
                ? max(0, instances.toOneKeys[place])
                : !isRejected && instances.toOnePresent[place] ? instances.toOneKeys[place] : nil
        }
        waits = places.map { !isRejected && instances.toOneKeys[$0] == ObjectInstances.waitingKey }
    }

    /// Applies the changes of an instance to the object.
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
