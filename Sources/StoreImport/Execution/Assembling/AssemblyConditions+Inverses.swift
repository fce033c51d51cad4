import ImportMappings
import ManagedObjectModels
import PersistentStores
import StoreAssembly

/// The other sides of to-ones in a store that is assembled.
extension AssemblyConditions {
    /// The other sides of to-ones.
    @_optimize(size)
    func reasonsOfInverses() -> [String] {
        var reasons: Set<String> = []
        for source in sources.map(\.compiled) {
            let paired = source.objects.flatMap { object in
                object.toOnes.filter { InverseWriter.isOneToOne($0.relationship, layout: layout) }.map { (object, $0) }
            }
            if paired.contains(where: { $0.onMatch == .fill && $0.hasKey && !$1.isKeyed }) {
                reasons.insert("records fill one-to-one relationships with other objects of theirs")
            }
            // Those of a batch come one mapping after the other.
            let areSaidTwice = paired.contains { object, toOne in
                paired.contains { other, another in
                    object.index != other.index
                        && [toOne.relationship.key, toOne.relationship.inverse?.key].contains(another.relationship.key)
                }
            }
            if areSaidTwice { reasons.insert("several objects of a record have a one-to-one relationship") }
            for object in source.objects {
                let toOnes = object.toOnes.map(\.relationship)
                guard toOnes.contains(where: { $0.placesObjects(in: layout) != nil }) else { continue }
                // Those of a batch come one mapping after the other; and parts that were there are told apart by their
                // records only.
                let isOneOfSeveral = source.objects.count { $0.table.root == object.table.root } > 1
                if isOneOfSeveral || object.isPart && object.hasKey && object.onMatch != .skip {
                    reasons.insert("several objects of a record have places among the objects of an owner")
                }
            }
        }
        return reasons.sorted()
    }
}
