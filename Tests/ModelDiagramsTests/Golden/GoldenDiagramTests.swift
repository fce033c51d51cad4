import Foundation
import ManagedObjectModels
@testable import ModelDiagrams
import TestSupport
import Testing

/// Whole texts against recorded ones. `FERRY_RECORD=1` writes them again, and fails to say so.
@Suite struct GoldenDiagramTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path

    private func compare(_ text: String, with name: String) throws {
        let path = Self.folder + "/" + name
        if TestSettings.records {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            Issue.record("\(name) is written again; look at it and run without FERRY_RECORD")
            return
        }
        #expect(
            text == (try String(contentsOfFile: path, encoding: .utf8)),
            "\(name) differs; FERRY_RECORD=1 writes it again")
    }

    @Test func aVersionIsDrawnAsRecorded() throws {
        let diagram = EntityDiagram(of: try DiagramModels.sample("Company", "Company 4"), title: "Company 4")
        try compare(try diagram.svg(), with: "company.svg")
        try compare(diagram.mermaid(), with: "company.mmd")
        try compare(diagram.dot(), with: "company.dot")
    }

    @Test func aChangeIsDrawnAsRecorded() throws {
        let diagram = EntityDiagram(
            from: try DiagramModels.sample("Company", "Company"), to: try DiagramModels.sample("Company", "Company 4"),
            title: "Company → Company 4")
        try compare(try diagram.svg(), with: "company-change.svg")
        try compare(diagram.mermaid(), with: "company-change.mmd")
    }
}
