/// A report in the Static Analysis Results Interchange Format, version 2.1.0, which code hosting sites show.
public struct SARIFLog: Encodable, Sendable {
    let version = "2.1.0"
    let schema = "https://json.schemastore.org/sarif-2.1.0.json"
    let runs: [Run]

    private enum CodingKeys: String, CodingKey {
        case version, runs
        case schema = "$schema"
    }

    /// Makes the log of one run.
    /// - Parameters:
    ///   - report: the findings of the run, including silenced ones.
    ///   - toolVersion: the version of the tool.
    public init(_ report: LintReport, toolVersion: String) {
        runs = [Run(report, toolVersion: toolVersion)]
    }

    struct Run: Encodable, Sendable {
        let tool: Tool
        let columnKind = "unicodeCodePoints"
        let results: [SARIFResult]

        init(_ report: LintReport, toolVersion: String) {
            tool = Tool(driver: Driver(version: toolVersion))
            results =
                report.findings.map { SARIFResult($0) }
                + report.silenced.map { SARIFResult($0.finding, justification: $0.silence.reason) }
        }
    }

    struct Tool: Encodable, Sendable {
        let driver: Driver
    }

    struct Driver: Encodable, Sendable {
        let name = "ferry lint"
        let version: String
        let rules = LintCode.allCases.map { Rule($0) }
    }

    struct Text: Encodable, Sendable {
        let text: String
    }

    struct Rule: Encodable, Sendable {
        struct Configuration: Encodable, Sendable {
            let level: String
        }

        let id: String
        let name: String
        let shortDescription: Text
        let help: Text
        let defaultConfiguration: Configuration

        init(_ code: LintCode) {
            id = code.rawValue
            // SARIF requires words without separators.
            name = code.rule.name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
            shortDescription = Text(text: code.rule.meaning)
            help = Text(text: code.rule.remedy)
            defaultConfiguration = Configuration(level: code.severity.rawValue)
        }
    }
}
