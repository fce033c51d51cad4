internal import DocumentReading
import TextEncodings

/// Writes a mapping model as YAML: the form that people read and edit.
public enum MappingModelWriter {
    /// Returns the whole document.
    ///
    /// - Parameters:
    ///   - model: the mapping model.
    ///   - comments: comment lines at the beginning of the document, without `#`.
    ///   - notes: comment lines above the mapping of an entity or a property, by `Entity` or `Entity.property` of the
    ///     destination.
    public static func yaml(
        _ model: MappingModel, comments: [String] = [], notes: [String: [String]] = [:]
    ) -> String {
        var lines = comments.map(YAMLScalarText.comment)
        // The number of this format, by which readers refuse unknown formats.
        lines.append("mapping: \(MappingModelReader.formatNumber)")
        if model.sourceModelPath != nil || model.destinationModelPath != nil {
            lines.append("models:")
            if let path = model.sourceModelPath { lines.append("  source: " + scalar(path)) }
            if let path = model.destinationModelPath { lines.append("  destination: " + scalar(path)) }
        }
        lines.append(model.entityMappings.isEmpty ? "entities: []" : "entities:")
        for mapping in model.entityMappings { append(mapping, notes, to: &lines) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func append(_ mapping: EntityMapping, _ notes: [String: [String]], to lines: inout [String]) {
        let entity = mapping.destinationEntityName ?? ""
        lines += (notes[entity] ?? []).map { "  " + YAMLScalarText.comment($0) }
        lines.append("  - name: " + scalar(mapping.name))
        lines.append("    type: " + mapping.type.name.lowercased())
        func add(_ key: String, _ value: String?) {
            if let value { lines.append("    \(key): " + scalar(value)) }
        }
        add("source", mapping.sourceEntityName)
        add("sourceHash", mapping.sourceEntityVersionHash.map(hexadecimal))
        add("destination", mapping.destinationEntityName)
        add("destinationHash", mapping.destinationEntityVersionHash.map(hexadecimal))
        add("filter", mapping.sourceFilter)
        add("fetch", mapping.sourceExpression)
        add("policy", mapping.migrationPolicyClassName)
        if let identity = mapping.identity {
            lines.append(
                "    key: [" + identity.attributes.map(YAMLScalarText.flowScalar).joined(separator: ", ") + "]")
            lines.append("    survivor: \(identity.survivor.rawValue)")
        }
        append("userInfo", mapping.userInfo, indent: "    ", to: &lines)
        func notesOfProperty(_ name: String) -> [String] { notes["\(entity).\(name)"] ?? [] }
        append("attributes", mapping.attributeMappings, notesOfProperty, to: &lines)
        append("relationships", mapping.relationshipMappings, notesOfProperty, to: &lines)
    }

    private static func append(
        _ key: String, _ properties: [PropertyMapping], _ notes: (String) -> [String], to lines: inout [String]
    ) {
        guard !properties.isEmpty else { return }
        lines.append("    \(key):")
        for property in properties {
            let name = scalar(property.name)
            lines += notes(property.name).map { "      " + YAMLScalarText.comment($0) }
            guard property != PropertyMapping(name: property.name, isExpressionGenerated: true) else {
                lines.append("      \(name): \(MappingModelKeys.generatedTag)")
                continue
            }
            guard property != PropertyMapping(name: property.name, valueExpression: property.valueExpression) else {
                lines.append("      \(name): " + (property.valueExpression.map(scalar) ?? "null"))
                continue
            }
            lines.append("      \(name):")
            lines.append("        value: " + (property.valueExpression.map(scalar) ?? "null"))
            if let path = property.sourceKeyPath { lines.append("        keyPath: " + scalar(path)) }
            if let mapping = property.sourceMappingName { lines.append("        mapping: " + scalar(mapping)) }
            if let isGenerated = property.isExpressionGenerated {
                lines.append("        generated: " + (isGenerated ? "true" : "false"))
            }
            if let choice = property.choice { lines.append("        choose: \(choice.rawValue)") }
            append(property.transforms, to: &lines)
            append("userInfo", property.userInfo, indent: "        ", to: &lines)
        }
    }

    private static func append(_ transforms: [PropertyTransform], to lines: inout [String]) {
        if !transforms.isEmpty { lines.append("        transforms:") }
        for transform in transforms {
            lines.append("          - property: " + scalar(transform.propertyName))
            lines.append("            value: " + (transform.valueExpression.map(scalar) ?? "null"))
            if transform.replacesMissingValueOnly { lines.append("            missingOnly: true") }
        }
    }

    private static func append(
        _ key: String, _ dictionary: [String: String], indent: String, to lines: inout [String]
    ) {
        if !dictionary.isEmpty { lines.append(indent + key + ":") }
        for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) {
            lines.append("\(indent)  \(scalar(key)): " + scalar(value))
        }
    }

    static func scalar(_ text: String) -> String { YAMLScalarText.scalar(text) }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        MappingModelKeys.hashPrefix + Hexadecimal.encode(bytes)
    }
}
