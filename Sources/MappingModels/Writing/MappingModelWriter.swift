/// Writes a mapping model as YAML: the form that people read and edit.
public enum MappingModelWriter {
    /// The whole document; comment lines, without `#`, stand at its head.
    public static func yaml(_ model: MappingModel, comments: [String] = []) -> String {
        var lines = comments.map { "# " + oneLine($0) }
        // The number of this format: a reader refuses what it does not know.
        lines.append("mapping: 1")
        lines.append(model.entityMappings.isEmpty ? "entities: []" : "entities:")
        for mapping in model.entityMappings { append(mapping, to: &lines) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func append(_ mapping: EntityMapping, to lines: inout [String]) {
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
        append("userInfo", mapping.userInfo, indent: "    ", to: &lines)
        append("attributes", mapping.attributeMappings, to: &lines)
        append("relationships", mapping.relationshipMappings, to: &lines)
    }

    private static func append(_ key: String, _ properties: [PropertyMapping], to lines: inout [String]) {
        guard !properties.isEmpty else { return }
        lines.append("    \(key):")
        for property in properties {
            let name = scalar(property.name)
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

    /// A text as YAML reads it back: plain where that is safe, in single quotes, or in double quotes with escapes.
    static func scalar(_ text: String) -> String {
        let scalars = text.unicodeScalars
        // YAML's line breaks and what may not be printed as it is.
        let isPrintable = scalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x10000...: true
            default: false
            }
        }
        guard isPrintable else { return doubleQuoted(text) }
        return isPlain(text) ? text : "'" + text.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "''") + "'"
    }

    /// Words only, and expressions that begin with a variable: nothing that YAML takes for a number, a flag or a mark.
    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, text.unicodeScalars.last != ":", text.unicodeScalars.last != " ",
            !["null", "true", "false", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
        else { return false }
        var previous = first
        for scalar in text.unicodeScalars {
            if previous == ":" && scalar == " " || previous == " " && scalar == "#" { return false }
            previous = scalar
        }
        switch first {
        case "a"..."z", "A"..."Z", "_", "$": return true
        default: return false
        }
    }

    private static func doubleQuoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case " "..."~": result.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
            }
        }
        return result + "\""
    }

    private static func oneLine(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x85 ? " " : $0 }))
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        // A letter first keeps it a text in every reader of YAML.
        "sha256-" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
