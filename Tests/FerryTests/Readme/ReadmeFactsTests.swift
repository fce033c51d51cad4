import Foundation
import TestSupport
import Testing

/// What the README says of the package and the set-up, against the files that decide it.
@Suite struct ReadmeFactsTests {
    private static let folder = (Readme.path as NSString).deletingLastPathComponent

    @Test func everyLibraryProductIsListedAndNoOther() throws {
        let manifest = try String(contentsOfFile: Self.folder + "/Package.swift", encoding: .utf8)
        let products = Set(manifest.matches(of: /\.library\(name: "([A-Za-z]+)"/).map { String($0.1) })
        let rows = try Readme().text(of: "The libraries").matches(of: /\| `([A-Za-z]+)` \|/).map { String($0.1) }
        #expect(!products.isEmpty)
        #expect(Set(rows) == products)
    }

    @Test func everyPackageThatTheSetUpInstallsIsNamed() throws {
        let setup = try String(contentsOfFile: Samples.path + "/setup", encoding: .utf8)
        let packages = Set(setup.matches(of: /\]=([a-z0-9.-]+)/).map { String($0.1) }).union(["sqlite3", "pkg-config"])
        let named = Readme.words(in: try Readme().text(of: "Quick start"), like: /[a-z0-9.-]+/)
        #expect(packages.count > 4)
        #expect(packages.subtracting(named) == [])
    }

    @Test func theFoldersOfTheRepositoryExist() throws {
        let rows = try Readme().text(of: "The repository").split(separator: "\n").filter { $0.hasPrefix("| `") }
        let paths = rows.flatMap { row in
            Readme.words(in: String(row.split(separator: "|")[0]), like: /[A-Za-z.\/]+/)
        }
        #expect(!paths.isEmpty)
        for path in paths {
            #expect(FileManager.default.fileExists(atPath: Self.folder + "/" + path), "\(path)")
        }
    }
}
