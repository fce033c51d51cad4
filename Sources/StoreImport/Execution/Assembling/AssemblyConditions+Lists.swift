import ImportMappings
import ManagedObjectModels
import PersistentStores
import StoreAssembly

/// The links of to-many relationships in a store that is assembled.
extension AssemblyConditions {
    /// The links of to-many relationships.
    @_optimize(size)
    func reasonsOfLists() -> [String] {
        var reasons: [String] = []
        var known: [String: PropertyKey] = [:]
        let lastRecords = CompiledFiles(sources: sources.map(\.compiled), files: scope.files).lastFiles
        for (index, source) in sources.map(\.compiled).enumerated() {
            let firstFile = scope.files.firstIndex(of: index) ?? 0
            for object in source.objects {
                for relationship in object.toManys {
                    guard let place = LinkPlace(relationship.relationship, layout: layout) else { continue }
                    if place.kind == .foreignKey {
                        guard areOfOneKind(relationship) else {
                            reasons.append("several mappings say the links of a one-to-many relationship")
                            continue
                        }
                    }
                    if place.isSymmetric, keepsNamers, !relationship.adds {
                        reasons.append("links of rejected records that others name are noted")
                    }
                    let key = relationship.relationship.key
                    // Of a table of destinations each list has a column of its own.
                    let links = place.kind == .foreignKey ? place.table + place.owner : place.table
                    if let other = known.updateValue(key, forKey: links),
                        other != key
                    {
                        reasons.append("both sides of a relationship have lists")
                    }
                    guard case .key(let target) = relationship.target else { continue }
                    let creates = target.makesMissing
                    if creates, object.onMatch == .skip, object.hasKey {
                        reasons.append("records that are skipped name objects to be made in lists")
                    }
                    // What is made because a record names it comes behind what the files have.
                    if creates, let last = lastRecords[layout.model.entities[target.slot].root], last >= firstFile {
                        reasons.append("lists name objects to be made that later files may have")
                    }
                }
            }
        }
        return reasons
    }

    /// Whether all that is mapped of the links of a one-to-many relationship are its own lists, whose destinations have
    /// keys where there are several: those of a batch come one mapping after the other.
    private func areOfOneKind(_ list: CompiledRelationship) -> Bool {
        let mapped = entities.flatMap { $0.object.toOnes + $0.object.toManys }
        let lists = mapped.filter { $0.relationship.key == list.relationship.key }
        return !mapped.contains { $0.relationship.key == list.relationship.inverse?.key }
            && (lists.count == 1 || lists.allSatisfy(\.isKeyed))
    }
}
