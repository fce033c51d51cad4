import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The keys of a batch's objects: their order, and what others look them up by.
extension BulkImporter {
    /// Instances with different keys, sorted by key; equal keys follow the first. NULL keys equal nothing.
    func keyOrder(_ index: Int, _ object: CompiledObject, _ batch: RecordBatch) -> [Int] {
        guard object.hasKey else { return [] }
        var order: [Int] = []
        order.reserveCapacity(instances[index].count)
        for instance in 0..<instances[index].count where !isRejected[Int(instances[index].records[instance])] {
            let start = instances[index].keyArena.count
            var isWhole = true
            for attribute in object.keyAttributes {
                switch instances[index].cell(instance, attribute) {
                case .null: isWhole = false
                case .integer(let number): KeyBytes.append(number, to: &instances[index].keyArena)
                case .real(let number): KeyBytes.append(number, to: &instances[index].keyArena)
                case .text(let range): KeyBytes.append(text: batch.arena[range.range], to: &instances[index].keyArena)
                case .blob(let range):
                    KeyBytes.append(text: batch.arena[range.range], tag: KeyBytes.blobTag, to: &instances[index].keyArena)
                }
            }
            for toOne in object.keyRelationships {
                let key = instances[index].toOneKeys[instance * object.toOnes.count + toOne]
                if key <= 0 { isWhole = false } else { KeyBytes.append(key, to: &instances[index].keyArena) }
            }
            guard isWhole else {
                instances[index].keyArena.removeLast(instances[index].keyArena.count - start)
                continue
            }
            instances[index].keyStarts[instance] = start
            instances[index].keyEnds[instance] = instances[index].keyArena.count
            order.append(instance)
        }
        let current = instances[index]
        order.sort {
            let (left, right) = (current.key($0), current.key($1))
            return left.elementsEqual(right) ? $0 < $1 : left.lexicographicallyPrecedes(right)
        }
        var leaders: [Int] = []
        leaders.reserveCapacity(order.count)
        for instance in order {
            if let leader = leaders.last, current.key(leader).elementsEqual(current.key(instance)) {
                instances[index].states[instance] = .follower
                instances[index].leaders[instance] = Int32(leader)
            } else {
                leaders.append(instance)
            }
        }
        return leaders
    }

    /// Tells resolvers of the same entity about a new object.
    func learn(_ instance: Int, _ index: Int, _ object: CompiledObject, _ batch: RecordBatch, _ primaryKey: Int64) {
        for resolver in resolvers where layout.model.isKind(object.slot, of: resolver.slot) {
            guard let attribute = resolver.cachedAttribute,
                let position = object.attributes.firstIndex(where: { $0.attribute.key == attribute }),
                let key = Self.keyBytes(instances[index].cell(instance, position), batch.arena)
            else { continue }
            resolver.learn(key, KeyIndex.Target(primaryKey: primaryKey, entity: Int64(object.entityNumber)))
        }
    }

    static func keyBytes(_ value: ConvertedValue, _ arena: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        switch value {
        case .null: return nil
        case .integer(let number): KeyBytes.append(number, to: &bytes)
        case .real(let number): KeyBytes.append(number, to: &bytes)
        case .text(let range): KeyBytes.append(text: arena[range.range], to: &bytes)
        case .blob(let range): KeyBytes.append(text: arena[range.range], tag: KeyBytes.blobTag, to: &bytes)
        }
        return bytes
    }

    static func storedValue(_ value: ConvertedValue, _ arena: [UInt8]) -> SQLiteValue {
        switch value {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let range): .text(Array(arena[range.range]))
        case .blob(let range): .blob(Array(arena[range.range]))
        }
    }
}
