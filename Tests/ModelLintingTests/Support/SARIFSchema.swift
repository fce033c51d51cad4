import Foundation

/// The schema of SARIF 2.1.0, as far as a log of this tool could use it: which properties an object may have and must
/// have, and what they may be. Objects have no other properties than these.
enum SARIFSchema {
    indirect enum Shape: Sendable {
        case text
        /// A reference of RFC 3986.
        case uri
        case integer(from: Int)
        case boolean
        case word([String])
        case list(Shape, isUnique: Bool = false)
        case object(String)
    }

    private struct Definition: Sendable {
        var required: [String] = []
        /// Of these at least one must be there.
        var anyOf: [String] = []
        let properties: [String: Shape]
    }

    private static let levels = Shape.word(["none", "note", "warning", "error"])

    private static let definitions: [String: Definition] = [
        "sarifLog": Definition(
            required: ["version", "runs"],
            properties: ["$schema": .uri, "version": .word(["2.1.0"]), "runs": .list(.object("run"))]),
        "run": Definition(
            required: ["tool"],
            properties: [
                "tool": .object("tool"), "results": .list(.object("result")), "language": .text,
                "columnKind": .word(["utf16CodeUnits", "unicodeCodePoints"]),
                "artifacts": .list(.object("artifact"), isUnique: true),
            ]),
        "tool": Definition(required: ["driver"], properties: ["driver": .object("toolComponent")]),
        "toolComponent": Definition(
            required: ["name"],
            properties: [
                "name": .text, "version": .text, "semanticVersion": .text, "organization": .text,
                "informationUri": .uri, "fullName": .text,
                "rules": .list(.object("reportingDescriptor"), isUnique: true),
            ]),
        "reportingDescriptor": Definition(
            required: ["id"],
            properties: [
                "id": .text, "name": .text, "shortDescription": .object("multiformatMessageString"),
                "fullDescription": .object("multiformatMessageString"), "help": .object("multiformatMessageString"),
                "helpUri": .uri, "defaultConfiguration": .object("reportingConfiguration"),
            ]),
        "multiformatMessageString": Definition(required: ["text"], properties: ["text": .text, "markdown": .text]),
        "reportingConfiguration": Definition(properties: ["enabled": .boolean, "level": levels]),
        "result": Definition(
            required: ["message"],
            properties: [
                "ruleId": .text, "ruleIndex": .integer(from: -1), "level": levels, "message": .object("message"),
                "kind": .word(["notApplicable", "pass", "fail", "review", "open", "informational"]),
                "locations": .list(.object("location")), "suppressions": .list(.object("suppression"), isUnique: true),
            ]),
        "message": Definition(
            anyOf: ["text", "id"],
            properties: ["text": .text, "markdown": .text, "id": .text, "arguments": .list(.text)]),
        "location": Definition(
            properties: [
                "id": .integer(from: -1), "physicalLocation": .object("physicalLocation"),
                "logicalLocations": .list(.object("logicalLocation"), isUnique: true), "message": .object("message"),
            ]),
        "physicalLocation": Definition(
            anyOf: ["artifactLocation", "address"],
            properties: ["artifactLocation": .object("artifactLocation"), "region": .object("region")]),
        "artifactLocation": Definition(
            properties: ["uri": .uri, "uriBaseId": .text, "index": .integer(from: -1)]),
        "region": Definition(
            properties: [
                "startLine": .integer(from: 1), "startColumn": .integer(from: 1), "endLine": .integer(from: 1),
                "endColumn": .integer(from: 1),
            ]),
        "logicalLocation": Definition(
            properties: ["name": .text, "fullyQualifiedName": .text, "decoratedName": .text, "kind": .text]),
        "suppression": Definition(
            required: ["kind"],
            properties: [
                "kind": .word(["inSource", "external"]), "status": .word(["accepted", "underReview", "rejected"]),
                "justification": .text, "location": .object("location"),
            ]),
    ]

    /// What of a document breaks the schema, with its place.
    static func faults(of document: Any) -> [String] { faults(of: document, as: .object("sarifLog"), at: "log") }

    private static func faults(of value: Any, as shape: Shape, at place: String) -> [String] {
        switch shape {
        case .text: return value is String ? [] : ["\(place) is not a string"]
        case .uri:
            guard let text = value as? String, URL(string: text) != nil,
                text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"\"<>\\^`{|}".utf8.contains($0) })
            else { return ["\(place) is not a URI: \(value)"] }
            return []
        case .integer(let least):
            guard let number = value as? Int else { return ["\(place) is not an integer"] }
            return number >= least ? [] : ["\(place) is below \(least)"]
        case .boolean: return value is Bool ? [] : ["\(place) is not a Boolean"]
        case .word(let words):
            return (value as? String).map(words.contains) == true ? [] : ["\(place) is none of \(words): \(value)"]
        case .list(let element, let isUnique):
            guard let list = value as? [Any] else { return ["\(place) is not a list"] }
            var faults = list.enumerated().flatMap { self.faults(of: $1, as: element, at: "\(place)[\($0)]") }
            if isUnique, Set(list.compactMap { $0 as? NSDictionary }).count < list.count {
                faults.append("\(place) has equal elements")
            }
            return faults
        case .object(let name):
            guard let object = value as? [String: Any], let definition = definitions[name] else {
                return ["\(place) is no \(name)"]
            }
            var faults = definition.required.filter { object[$0] == nil }.map { "\(place) has no \($0)" }
            if !definition.anyOf.isEmpty, !definition.anyOf.contains(where: { object[$0] != nil }) {
                faults.append("\(place) has none of \(definition.anyOf)")
            }
            for (key, value) in object {
                guard let shape = definition.properties[key] else {
                    faults.append("\(place) has the property \(key)")
                    continue
                }
                faults += self.faults(of: value, as: shape, at: "\(place).\(key)")
            }
            return faults
        }
    }
}
