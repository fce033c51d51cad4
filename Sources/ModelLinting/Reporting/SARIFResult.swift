import TextEncodings

/// A finding in a SARIF log.
struct SARIFResult: Encodable, Sendable {
    let ruleId: String
    let ruleIndex: Int
    let level: String
    let message: SARIFLog.Text
    let locations: [Location]
    /// Empty for a finding that is not silenced: the format requires the property for all results or for none
    /// (3.27.23).
    let suppressions: [Suppression]

    struct Location: Encodable, Sendable {
        let physicalLocation: PhysicalLocation
        let logicalLocations: [LogicalLocation]?
    }

    struct PhysicalLocation: Encodable, Sendable {
        struct Artifact: Encodable, Sendable {
            let uri: String
        }

        struct Region: Encodable, Sendable {
            let startLine: Int
        }

        let artifactLocation: Artifact
        let region: Region?
    }

    struct LogicalLocation: Encodable, Sendable {
        let fullyQualifiedName: String
        let kind: String
    }

    struct Suppression: Encodable, Sendable {
        let kind = "external"
        let justification: String
    }

    /// - Parameter justification: the reason, if the finding is silenced.
    init(_ finding: LintFinding, justification: String? = nil) {
        ruleId = finding.code.rawValue
        ruleIndex = LintCode.allCases.firstIndex(of: finding.code) ?? 0
        level = finding.severity.rawValue
        message = SARIFLog.Text(text: (finding.subject.map { $0 + ": " } ?? "") + finding.message)
        let logical = finding.subject.map {
            LogicalLocation(fullyQualifiedName: $0, kind: finding.property == nil ? "type" : "member")
        }
        locations = [
            Location(
                physicalLocation: PhysicalLocation(
                    artifactLocation: .init(uri: Self.uri(finding.file)),
                    region: finding.line.map { .init(startLine: $0) }),
                logicalLocations: logical.map { [$0] })
        ]
        suppressions = justification.map { [Suppression(justification: $0)] } ?? []
    }

    /// Returns a path as an RFC 3986 reference; relative paths stay relative.
    static func uri(_ path: String) -> String {
        var text = Array((path.hasPrefix("/") ? "file://" : "").utf8)
        text.append(uriPath: path)
        return String(decoding: text, as: UTF8.self)
    }
}
