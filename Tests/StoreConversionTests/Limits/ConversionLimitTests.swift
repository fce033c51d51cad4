import Foundation
import GeneratedStores
import ManagedObjectModels
import PersistentStores
import SQLiteFileBuilder
import TestSupport
import Testing
import XMLStores

@testable import StoreConversion

/// What a conversion does depends on none of the sizes of its buffers, caches and windows.
@Suite struct ConversionLimitTests {
    /// Limits of one size, or of random small sizes.
    private static func limits(_ size: Int?, _ random: inout RandomNumbers) -> ConversionLimits {
        var limits = ConversionLimits()
        limits.page = random.limit(size)
        limits.pages = random.limit(size)
        limits.names = random.limit(size)
        limits.output = random.limit(size)
        limits.earlyBytes = Int64(random.limit(size))
        limits.waitingNumbers = random.limit(size)
        limits.objects.batches = random.limit(size)
        limits.objects.objects = random.limit(size)
        if Bool.random(using: &random) { limits.objects.bytes = random.limit(size) * 100 }
        if Bool.random(using: &random) { limits.objects.largeObject = random.limit(size) * 10 }
        limits.objects.keptBytes = random.limit(size)
        if Bool.random(using: &random) { limits.keyBits = random.limit(size) * 8 }
        limits.newPages = random.limit(size)
        limits.build = BuildLimits(size, &random)
        return limits
    }

    private static func limit(_ options: inout ConversionOptions, to limits: ConversionLimits) {
        var (xml, binary) = (XMLStoreFormat(), BinaryStoreFormat())
        (xml.fixedLimits, binary.fixedLimits) = (limits, limits)
        options.fixedLimits = limits
        options.registry = PersistentStoreRegistry(formats: [xml, binary])
    }

    /// Through all types, in one order or the other; the XML store's objects are put into another order on the way.
    private func check(seed: UInt64, size: Int?) throws {
        var random = RandomNumbers(seed: seed)
        let directory = try TemporaryDirectory()
        let model = try ResolvedModel(PlainStudio.model)
        let plain = PlainStudio(33, &random)
        var writer = StoreWriter()
        writer.columnSeed = seed
        var previous = directory.file("a.sqlite")
        try writer.write(plain.content(model), of: model, to: previous)
        let types: [[PersistentStoreType]] = [
            [.xml, .sqlite, .binary, .sqlite], [.binary, .xml, .sqlite], [.sqlite, .xml, .binary, .xml, .sqlite],
        ]
        for (place, type) in (types.randomElement(using: &random) ?? []).enumerated() {
            let path = directory.file("\(place).\(type.name.lowercased())")
            let limits = Self.limits(size, &random)
            let context = "seed \(seed), \(type.name) from \(previous), \(limits)"
            let writer: NewStoreWriter = Bool.random(using: &random) ? .auto : .sqlite
            let report = try convert([previous], to: type, path, model) { options in
                Self.limit(&options, to: limits)
                options.writer = writer
            }
            try #require(!report.hasWarnings, "\(report.findings)\n\(context)")
            if type == .xml {
                try #require(try StudioXML(path).lines == plain.lines, "\(context)")
                try shuffle(path, &random)
            } else if type == .sqlite {
                try #require(try StudioRows(path).lines() == plain.lines, "\(context)")
                try BothWritersTests.checkPages(of: path)
            }
            previous = path
        }
    }

    /// The order of the objects of an XML store has no meaning.
    private func shuffle(_ path: String, _ random: inout RandomNumbers) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        var objects = text.components(separatedBy: "    <object ")
        let header = objects.removeFirst()
        let end = "    </object>\n"
        var footer = ""
        objects = objects.map { object in
            let parts = object.components(separatedBy: end)
            if parts.count > 1, !parts[1].isEmpty { footer = parts[1] }
            return "    <object " + parts[0] + end
        }
        objects.shuffle(using: &random)
        try (header + objects.joined() + footer).write(toFile: path, atomically: false, encoding: .utf8)
    }

    @Test(arguments: RandomNumbers.limitSizes, RandomNumbers.seeds(6))
    func conversionsGiveTheSameWithAllLimitsOfOneSize(size: Int, seed: Int) throws {
        try check(seed: UInt64(size * 1000 + seed), size: size)
    }

    @Test(arguments: RandomNumbers.seeds(24))
    func conversionsGiveTheSameWithLimitsOfSeveralSizes(seed: Int) throws {
        try check(seed: UInt64(100_000 + seed), size: nil)
    }

    /// All types of values and relationships: what comes out is byte for byte what large limits give.
    @Test(arguments: RandomNumbers.seeds(12))
    func storesOfRandomModelsAreTheSameWithSmallLimits(seed: Int) throws {
        var random = RandomNumbers(seed: UInt64(seed))
        let directory = try TemporaryDirectory()
        let model = try ResolvedModel(RandomRoundTripTests.model(seed + 200))
        var content = RandomContent(model: model, seed: UInt64(seed))
        let source = directory.file("source.sqlite")
        try StoreWriter().write(content.content(upTo: 20), of: model, to: source)
        var previous = source
        for type in [PersistentStoreType.xml, .binary, .sqlite] {
            var results: [[UInt8]] = []
            for limits in [nil, Self.limits(nil, &random)] {
                let path = directory.file("\(limits == nil).\(type.name.lowercased())")
                try convert([previous], to: type, path, model) { options in
                    if let limits { Self.limit(&options, to: limits) }
                }
                results.append(
                    type == .sqlite
                        ? Array(try BothWritersTests.sortedDump(of: path).joined(separator: "\n").utf8)
                        : try #require(WholeFile.read(path)))
            }
            #expect(results[0] == results[1], "\(type.name)")
            previous = directory.file("true.\(type.name.lowercased())")
        }
    }
}
