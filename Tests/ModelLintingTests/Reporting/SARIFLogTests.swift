import Foundation
import ManagedObjectModels
import ModelLinting
import TestSupport
import Testing

/// The shape that the schema of SARIF 2.1.0 requires: `version`, `runs`, `tool.driver.name`, `results[].message`, and
/// what the properties that are used may be.
@Suite struct SARIFLogTests {
    private func log(_ entities: String, silences: LintSilences? = nil) throws -> [String: Any] {
        let report = LintReport(
            try ModelFolder(entities).findings(), silences: silences, scopes: [.version], versions: ["M/M"])
        let data = try JSONEncoder().encode(SARIFLog(report, toolVersion: "1.2.3"))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private let model = """
        <entity name="A"><relationship name="b" optional="YES" maxCount="1" destinationEntity="A"/>
        <attribute name="x" attributeType="Boolean"/><attribute name="y"/></entity>
        """

    @Test func theLogHasWhatTheSchemaRequires() throws {
        let log = try log(model)
        #expect(log["version"] as? String == "2.1.0")
        #expect(log["$schema"] as? String == "https://json.schemastore.org/sarif-2.1.0.json")
        let run = try #require((log["runs"] as? [[String: Any]])?.first)
        #expect(["utf16CodeUnits", "unicodeCodePoints"].contains(run["columnKind"] as? String))
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        #expect(driver["name"] as? String == "ferry lint")
        let rules = try #require(driver["rules"] as? [[String: Any]])
        #expect(rules.count == LintCode.allCases.count)
        for rule in rules {
            #expect(rule["id"] is String)
            #expect((rule["shortDescription"] as? [String: Any])?["text"] is String)
            #expect((rule["help"] as? [String: Any])?["text"] is String)
        }
    }

    @Test func aLogOfEveryKindOfFindingKeepsTheSchema() throws {
        let folder = try ModelFolder(model)
        let path = try folder.directory.write("silence: [{code: FM301, reason: \"Known: yes\"}]", to: "s.yaml")
        for log in [try log(""), try log(model), try log(model, silences: LintSilences(path: path))] {
            #expect(SARIFSchema.faults(of: log) == [])
            let run = try #require((log["runs"] as? [[String: Any]])?.first)
            let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
            let ids = (driver["rules"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
            #expect(Set(ids).count == ids.count)
            let results = try #require(run["results"] as? [[String: Any]])
            // Whether findings are silenced is known of all of them, or of none.
            #expect(Set(results.map { $0["suppressions"] == nil }).count <= 1)
        }
    }

    @Test(.enabled(if: Corpus.isPresent, "there is no corpus")) func logsOfRealModelsKeepTheSchema() throws {
        let bundles = Corpus.files(under: "1_models") { $0.hasSuffix(".xcdatamodeld") }
        for bundle in stride(from: 0, to: bundles.count, by: 20).map({ bundles[$0] }) {
            guard let version = try? ModelVersions(path: bundle).current() else { continue }
            let report = LintReport(ModelLinter.findings(in: version), silences: nil, scopes: [.version], versions: [])
            let data = try JSONEncoder().encode(SARIFLog(report, toolVersion: "1"))
            #expect(SARIFSchema.faults(of: try JSONSerialization.jsonObject(with: data)) == [], "\(bundle)")
        }
    }

    @Test(arguments: [
        #"{"version": "2.0.0", "runs": []}"#, #"{"runs": []}"#, #"{"version": "2.1.0", "runs": [{"results": []}]}"#,
        #"{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [{"message": {}}]}]}"#,
        #"{"version": "2.1.0", "runs": [], "$schema": "a b"}"#, #"{"version": "2.1.0", "runs": [], "more": 1}"#,
    ])
    func theSchemaRefusesOthers(_ text: String) throws {
        #expect(!SARIFSchema.faults(of: try JSONSerialization.jsonObject(with: Data(text.utf8))).isEmpty)
    }

    @Test func resultsPointToTheirRulesAndLines() throws {
        let run = try #require((try log(model)["runs"] as? [[String: Any]])?.first)
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        let rules = try #require(driver["rules"] as? [[String: Any]])
        let results = try #require(run["results"] as? [[String: Any]])
        #expect(Set(results.compactMap { $0["ruleId"] as? String }) == ["FM301", "FM205", "FM201"])
        #expect(Set(results.compactMap { $0["level"] as? String }) == ["warning", "note", "error"])
        for result in results {
            let index = try #require(result["ruleIndex"] as? Int)
            #expect(rules[index]["id"] as? String == result["ruleId"] as? String)
            #expect(((result["message"] as? [String: Any])?["text"] as? String)?.isEmpty == false)
            let location = try #require((result["locations"] as? [[String: Any]])?.first)
            let physical = try #require(location["physicalLocation"] as? [String: Any])
            let uri = try #require((physical["artifactLocation"] as? [String: Any])?["uri"] as? String)
            #expect(uri.hasPrefix("file:///") && uri.hasSuffix("/M.xcdatamodel/contents"))
            #expect((physical["region"] as? [String: Any])?["startLine"] as? Int ?? 0 >= 3)
            #expect((result["suppressions"] as? [Any])?.isEmpty == true)
        }
    }

    @Test func silencedFindingsAreSuppressedWithTheirReason() throws {
        let folder = try ModelFolder(model)
        let path = try folder.directory.write("silence: [{code: FM301, reason: \"Known: yes\"}]", to: "s.yaml")
        let run = try #require((try log(model, silences: LintSilences(path: path))["runs"] as? [[String: Any]])?.first)
        let results = try #require(run["results"] as? [[String: Any]])
        let silenced = try #require(results.first { $0["ruleId"] as? String == "FM301" })
        let suppression = try #require((silenced["suppressions"] as? [[String: Any]])?.first)
        #expect(suppression["kind"] as? String == "external")
        #expect(suppression["justification"] as? String == "Known: yes")
    }
}
