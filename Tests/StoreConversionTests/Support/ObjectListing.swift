import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreConversion

/// The objects of a store as lines that do not depend on keys: objects are named by their place within their hierarchy.
///
/// Conversions keep the order of keys within a hierarchy, so that equal lines mean equal objects.
struct ObjectListing: Equatable {
    let lines: [String]

    init(of path: String, model: ResolvedModel) throws {
        try self.init(InMemoryStore(path: path, model: model), model: model)
    }

    init(_ store: InMemoryStore, model: ResolvedModel) throws {
        let forms = ObjectForms(model)
        struct Key: Hashable {
            let root: Int
            let key: Int64
        }
        var places: [Key: Int] = [:]
        let sorted = store.objects.sorted {
            let (left, right) = (forms.entities[$0.slot].root, forms.entities[$1.slot].root)
            return (left, $0.key) < (right, $1.key)
        }
        for (index, object) in sorted.enumerated() {
            places[Key(root: forms.entities[object.slot].root, key: object.key)] = index
        }
        lines = sorted.map { object in
            let form = forms.entities[object.slot]
            let values = form.attributes.indices.map { place -> String in
                let value = object.value(at: place)
                if case .real(let number) = value { return "\(form.attributes[place].name)=\(number.bitPattern)" }
                return "\(form.attributes[place].name)=\(value.literal)"
            }
            let links = form.relationships.enumerated().map { place, relationship -> String in
                let root = forms.entities[relationship.destination].root
                let targets = object.links(at: place).map { places[Key(root: root, key: $0)] ?? -1 }
                return "\(relationship.name)->\(relationship.isOrdered ? targets : targets.sorted())"
            }
            return form.name + " " + (values + links).joined(separator: " ")
        }
    }

    /// The first lines that differ.
    func difference(from other: ObjectListing) -> String {
        if lines.count != other.lines.count { return "\(lines.count) and \(other.lines.count) objects" }
        let index = lines.indices.first { lines[$0] != other.lines[$0] }
        return index.map { "\(lines[$0].prefix(600))\n\(other.lines[$0].prefix(600))" } ?? "none"
    }
}
