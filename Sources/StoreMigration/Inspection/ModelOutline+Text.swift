import PersistentStores

extension ModelOutline: CustomStringConvertible {
    /// The outline for users: the entities with their properties.
    public var description: String {
        let title = "Model \(name)" + (configuration.map { ", configuration \($0)" } ?? "")
        return ([title] + entities.flatMap(Self.lines)).joined(separator: "\n") + "\n"
    }

    private static func lines(of entity: Entity) -> [String] {
        var title = "  " + called(entity.name, entity.localizedName) + (entity.parent.map { ": \($0)" } ?? "")
        if entity.isAbstract { title += " (abstract)" }
        var columns = TextColumns()
        for attribute in entity.attributes {
            columns.add(called(attribute.name, attribute.localizedName), text(of: attribute))
        }
        for relationship in entity.relationships {
            columns.add(called(relationship.name, relationship.localizedName), text(of: relationship))
        }
        for name in entity.fetchedProperties { columns.add(name, "fetched property") }
        var lines = [title] + columns.lines(indent: "    ")
        for names in entity.uniquenessConstraints { lines.append("    unique: " + names.joined(separator: ", ")) }
        if !entity.indexes.isEmpty { lines.append("    indexes: " + entity.indexes.joined(separator: ", ")) }
        return lines
    }

    private static func text(of attribute: Attribute) -> String {
        var words = [attribute.type]
        if attribute.isOptional { words.append("optional") }
        if attribute.isTransient { words.append("transient") }
        if let derivation = attribute.derivation { words.append("derived: \(derivation)") }
        if let value = attribute.defaultValue {
            words.append("default " + (attribute.type == "String" ? shown(value) : value))
        }
        words += attribute.rules.map { "must be " + $0 }
        return words.joined(separator: ", ")
    }

    /// Returns a name with its localized name, such as `isbn "ISBN"`.
    static func called(_ name: String, _ localizedName: String?) -> String {
        name + (localizedName.map { " " + shown($0) } ?? "")
    }

    private static func text(of relationship: Relationship) -> String {
        var words = [(relationship.isToMany ? "->> " : "-> ") + relationship.destination]
        if relationship.isOrdered { words.append("ordered") }
        if relationship.isOptional { words.append("optional") }
        if relationship.isToMany, relationship.minimumCount > 0 || relationship.maximumCount > 0 {
            words.append(
                "\(relationship.minimumCount)..."
                    + (relationship.maximumCount > 0 ? "\(relationship.maximumCount)" : ""))
        }
        if let inverse = relationship.inverse { words.append("inverse \(inverse)") }
        words.append(relationship.deleteRule.lowercased())
        return words.joined(separator: ", ")
    }

    /// Returns a value of the model, shortened and without line ends.
    private static func shown(_ value: String) -> String {
        let limit = 40
        let cut = value.count > limit ? value.prefix(limit) + "..." : value[...]
        return String(cut).debugDescription
    }
}
