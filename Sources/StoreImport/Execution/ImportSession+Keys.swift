import ManagedObjectModels
import PersistentStores
import RecordConversion
import RecordSources

/// The keys of a batch's objects: their order, and the keys by which other records look the objects up.
extension ImportSession {
    /// Makes the keys of all objects whose records are not rejected. A key that contains NULL does not count as a key.
    func makeKeys(_ current: inout ObjectInstances, _ object: CompiledObject, _ arena: [UInt8]) {
        current.makeKeys(object, where: batchState.isRejected, in: arena)
    }

    /// Returns instances in the order of their keys, which are all different.
    func keyOrder(_ instances: [Int], _ current: ObjectInstances) -> [Int] {
        var order = instances.map {
            KeyOrder(instance: Int32($0), prefix: KeyBytes.prefix(of: current.key($0)))
        }
        order.sort { left, right in
            if left.prefix != right.prefix { return left.prefix < right.prefix }
            return current.key(Int(left.instance)).lexicographicallyPrecedes(current.key(Int(right.instance)))
        }
        return order.map { Int($0.instance) }
    }

    /// A resolver that keeps objects in memory by an attribute of a mapping, and the position of that attribute; or the
    /// key that all new objects get from the model's default.
    typealias Learner = (resolver: ReferenceResolver, position: Int?, constant: [UInt8])

    /// Returns the resolvers that must know about new objects of a mapping.
    func learners(of object: CompiledObject) -> [Learner] {
        resolvers.compactMap { resolver in
            guard layout.model.isKind(object.slot, of: resolver.slot), let attribute = resolver.cachedAttribute else {
                return nil
            }
            if let position = object.attributes.firstIndex(where: { $0.attribute.key == attribute }) {
                return (resolver, position, [])
            }
            guard let column = resolver.key.ownColumns.first,
                let value = object.defaults.first(where: { $0.column == column })?.value
            else { return nil }
            var constant: [UInt8] = []
            KeyBytes.append(value, to: &constant)
            return (resolver, nil, constant)
        }
    }

    /// Adds a new object to resolvers of the same entity.
    func teach(
        _ learners: [Learner], _ instance: Int, _ current: ObjectInstances, _ object: CompiledObject,
        _ batch: RecordBatch, _ primaryKey: Int64
    ) {
        for (resolver, position, constant) in learners {
            let key = position.map { Self.keyBytes(current.cell(instance, $0), batch.arena) } ?? constant
            guard let key else { continue }
            resolver.learn(key, KeyIndex.Target(primaryKey: primaryKey, entity: Int64(object.entityNumber)))
        }
    }

    static func keyBytes(_ value: ConvertedValue, _ arena: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        return KeyBytes.append(value, in: arena, to: &bytes) ? bytes : nil
    }
}

/// An instance while keys are sorted. Most keys differ in their first bytes.
private struct KeyOrder {
    let instance: Int32
    let prefix: UInt64
}
