import ManagedObjectModels
import TestSupport

@testable import SwiftDataModels

/// Swift sources in a folder of their own.
struct SourceFolder {
    let folder: TemporaryDirectory

    init(_ files: [String: String]) throws {
        folder = try TemporaryDirectory()
        for (name, text) in files { try folder.write(text, to: name) }
    }

    init(_ text: String) throws { try self.init(["Models.swift": text]) }

    func sources(_ selection: SwiftDataSelection = SwiftDataSelection()) throws -> SwiftDataSources? {
        try SwiftDataSources(paths: [folder.path], selection: selection)
    }

    /// The model of the classes, or of the only version.
    func model(_ classes: String...) throws -> ManagedObjectModel { try document(classes).model }

    func document(_ classes: [String]) throws -> ModelDocument {
        try ModelVersions(path: folder.path, swiftData: SwiftDataSelection(modelTypes: classes)).current().document()
    }

    func hashes(_ classes: String...) throws -> [String: String] {
        ModelHashes.hashes(of: try ResolvedModel(document(classes).model)).mapValues(\.hex)
    }
}

func scanned(_ text: String, defined: [String: Bool] = [:]) -> SwiftFileDeclarations {
    SwiftDeclarationScanner.declarations(in: Array(text.utf8), defined: defined)
}
