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
        var known: [String: (relationship: PropertyKey, rule: AssembledList.Rule)] = [:]
        let lastRecords = CompiledFiles(sources: sources.map(\.compiled), files: scope.files).lastFiles
        for (index, source) in sources.map(\.compiled).enumerated() {
            let firstFile = scope.files.firstIndex(of: index) ?? 0
            for object in source.objects {
                for relationship in object.toManys {
                    guard let place = LinkPlace(relationship.relationship, layout: layout),
                        !place.isSymmetric || place.order == nil, relationship.order == nil
                    else {
                        reasons.append("records have lists of links in the order of values")
                        continue
                    }
                    if place.kind == .foreignKey {
                        guard areOfOneKind(relationship) else {
                            reasons.append("several mappings say the links of a one-to-many relationship")
                            continue
                        }
                        let columns = layout.table(ofEntity: relationship.relationship.destination)?.columns.count
                        if object.hasKey && object.onMatch == .fill || place.order != nil && relationship.adds
                            || columns ?? .max >= AssembledTable.mostLinks
                        {
                            reasons.append("records fill lists of a one-to-many relationship, or add to ordered ones")
                        }
                    }
                    if place.isSymmetric, keepsNamers, !relationship.adds {
                        reasons.append("links of rejected records that others name are noted")
                    }
                    if place.isSymmetric, object.onMatch == .fill, object.hasKey {
                        reasons.append("records fill lists of links that have no direction")
                    }
                    let (key, rule) = (relationship.relationship.key, object.listRule(of: relationship))
                    // Of a table of destinations each list has a column of its own.
                    let links = place.kind == .foreignKey ? place.table + place.owner : place.table
                    if let other = known.updateValue((key, rule), forKey: links), other != (key, rule) {
                        reasons.append("the links of a relationship come from lists with different rules")
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
