import ManagedObjectModels
import RecordSources

/// Finds the column or path for each attribute of an entity.
struct AttributeMatching {
    /// The matches by attribute, in the model's order.
    private(set) var matches: [AttributeMatch] = []
    /// The stored attributes without a match.
    private(set) var unfilled: [ResolvedAttribute] = []

    private let names: EntityNames
    private let candidates: [AttributeCandidates.Candidate]
    private let basis: DraftBasis
    private let tried = TriedConversions()

    /// - Parameter basis: with `.declarations`, only columns with the name of the attribute are used.
    init(_ part: SampledPart, entity: EntityNames, basis: DraftBasis = .sample) {
        self.init(AttributeCandidates(part), names: entity, basis: basis)
        let found = found()
        for named in names.attributes {
            guard let match = found[named.attribute.name] else {
                unfilled.append(named.attribute)
                continue
            }
            let candidate = candidates[match.candidate]
            matches.append(
                AttributeMatch(
                    attribute: named.attribute, path: candidate.path, field: candidate.field, values: candidate.values,
                    likeness: match.likeness, hints: named.hints,
                    conversion: conversion(of: match.candidate, to: named)))
        }
    }

    private init(_ candidates: AttributeCandidates, names: EntityNames, basis: DraftBasis) {
        self.candidates = candidates.all
        self.names = names
        self.basis = basis
    }

    /// Returns the number of attributes that have a column by name.
    static func count(_ candidates: AttributeCandidates, _ names: EntityNames) -> Int {
        names.tokens.isDisjoint(with: candidates.tokens)
            ? 0 : AttributeMatching(candidates, names: names, basis: .sample).found(byValues: false).count
    }

    /// - Parameter byValues: whether values decide between equally similar names, and exclude columns whose values do
    ///   not fit.
    private func found(byValues: Bool = true) -> [String: (candidate: Int, likeness: AttributeMatch.Likeness)] {
        var found: [String: (candidate: Int, likeness: AttributeMatch.Likeness)] = [:]
        var taken = Set<Int>()
        func take(_ named: EntityNames.Attribute, _ candidate: Int?, _ likeness: AttributeMatch.Likeness) {
            guard let candidate else { return }
            found[named.attribute.name] = (candidate, likeness)
            taken.insert(candidate)
        }
        func open() -> [EntityNames.Attribute] { names.attributes.filter { found[$0.attribute.name] == nil } }
        func mayTake(_ candidate: Int, _ named: EntityNames.Attribute, _ likeness: AttributeMatch.Likeness) -> Bool {
            !taken.contains(candidate) && isAlike(named, candidate, likeness)
        }
        func takeFirst(_ likeness: AttributeMatch.Likeness) {
            for named in open() {
                take(named, candidates.indices.first { mayTake($0, named, likeness) }, likeness)
            }
        }
        // The most certain similarity first, so that no column is assigned to an attribute that is merely similar.
        let likenesses: [AttributeMatch.Likeness] =
            basis == .declarations ? [.hint, .equal, .words] : [.hint, .equal, .words, .prefixed, .path, .synonym]
        let usesValues = byValues && basis == .sample
        var isAnyRefused = false
        for likeness in likenesses {
            // A column named in the model is used regardless of its values.
            guard usesValues, likeness != .hint else {
                takeFirst(likeness)
                continue
            }
            let pairs = open().map { named in
                (named: named, alike: candidates.indices.filter { mayTake($0, named, likeness) })
            }.filter { !$0.alike.isEmpty }
            // Of attributes with equally similar names, those whose type the values show go first.
            for (named, alike) in pairs where named.attribute.type != .string {
                take(named, alike.first { !taken.contains($0) && fit($0, named) == .telling }, likeness)
            }
            for (named, alike) in pairs where found[named.attribute.name] == nil {
                let left = alike.filter { !taken.contains($0) }
                let fitting = left.filter { fit($0, named) != .none }
                isAnyRefused = isAnyRefused || fitting.count < left.count
                take(named, fitting.first { fit($0, named) == .telling } ?? fitting.first, likeness)
            }
        }
        guard basis == .sample else { return found }
        // The names are nevertheless similar: the draft reports what is wrong with the values.
        if isAnyRefused { likenesses.forEach(takeFirst) }
        // Otherwise all new objects would be rejected.
        let missing = open().filter { names.required.contains($0.attribute.name) && isTelling($0) }
        for (attribute, candidate) in contained(missing, except: taken) { found[attribute] = (candidate, .contained) }
        return found
    }

    /// How well the values of a column fit an attribute.
    private enum Fit {
        /// They cannot be its values.
        case none
        /// They may be its values, but also something else.
        case possible
        /// They indicate the attribute's type.
        case telling
    }

    private func fit(_ candidate: Int, _ named: EntityNames.Attribute) -> Fit {
        let (values, type) = (candidates[candidate].values, named.attribute.type)
        if values.fields.isEmpty { return .possible }
        if type == .string { return .telling }
        guard conversion(of: candidate, to: named).isUsable else { return .none }
        // A small number would be a time in 1970 at best.
        return type == .date && DateForms.areSmallNumbers(values) ? .possible : .telling
    }

    /// The conversions that have been tried, by candidates and the names of attributes.
    private final class TriedConversions {
        var drafts: [Int: [String: ConversionDraft]] = [:]
    }

    /// Returns the conversion of a candidate's values to an attribute's: trying takes longer than comparing names, so
    /// each pair is tried only once.
    private func conversion(of candidate: Int, to named: EntityNames.Attribute) -> ConversionDraft {
        if let known = tried.drafts[candidate]?[named.attribute.name] { return known }
        let draft = ConversionDraft(
            candidates[candidate].values, type: named.attribute.type, hints: named.hints, basis: basis)
        tried.drafts[candidate, default: [:]][named.attribute.name] = draft
        return draft
    }

    /// Returns whether a name is so specific that a column with more words probably means it: names of keys and titles
    /// often belong to another object.
    private func isTelling(_ attribute: EntityNames.Attribute) -> Bool {
        !DestinationKeys.isIdentifier(attribute.attribute.name, of: names.entity)
            && !DestinationKeys.names.contains(attribute.bareJoined)
    }

    /// Returns the attributes for which only one column contains their words, or is the last of their words.
    private func contained(
        _ attributes: [EntityNames.Attribute], except taken: Set<Int>
    ) -> [(attribute: String, candidate: Int)] {
        var found: [(attribute: String, candidate: Int)] = []
        for attribute in attributes {
            let fitting = candidates.indices.filter { index in
                !taken.contains(index) && isAlike(attribute, index, .contained)
            }
            if fitting.count == 1 { found.append((attribute.attribute.name, fitting[0])) }
        }
        // A column that matches several attributes is assigned to none.
        return found.filter { match in found.filter { $0.candidate == match.candidate }.count == 1 }
    }

    private func converts(_ candidate: Int, to named: EntityNames.Attribute) -> Bool {
        conversion(of: candidate, to: named).failureCount == 0
    }

    private func isAlike(
        _ named: EntityNames.Attribute, _ index: Int, _ likeness: AttributeMatch.Likeness
    ) -> Bool {
        let candidate = candidates[index]
        let isDirect = candidate.isDirect
        switch likeness {
        case .hint: return named.hints.names.contains(candidate.path)
        case .equal:
            let name = named.attribute.name
            return isDirect
                && (candidate.path == name || candidate.path.first == "@" && candidate.path.dropFirst() == name)
        case .words: return named.joined == candidate.wholeJoined
        case .prefixed:
            guard isDirect else { return false }
            return named.bareJoined == names.bare(candidate.words).joined || named.formerJoined == candidate.joined
                || Self.isRemoteKey(named.words, candidate.words)
        case .path:
            guard !isDirect else { return false }
            return named.singulars == candidate.wholeSingulars
                || candidate.isWrapped && named.joined == candidate.joined
        case .synonym:
            if candidate.path == "text()" { return NameSynonyms.ofTexts.contains(named.bareJoined) }
            if candidate.path == "@key" {
                return DestinationKeys.isIdentifier(named.attribute.name, of: names.entity)
                    && converts(index, to: named)
            }
            // This is only a guess, so the values must fit.
            guard isDirect, !candidate.values.fields.isEmpty,
                named.meaning == NameSynonyms.meaning(names.bare(candidate.words))
            else { return false }
            return converts(index, to: named)
        case .contained:
            let (own, other) = (named.bare.words, candidate.words.words)
            guard isDirect, !candidate.values.fields.isEmpty, !own.isEmpty, !other.isEmpty else { return false }
            let isContained =
                other.indices.contains { other[$0...].starts(with: own) } || own.suffix(other.count) == other[...]
            return isContained && converts(index, to: named)
        }
    }

    /// Returns whether Sync's convention applies: `remoteID` contains what the source calls `id`.
    private static func isRemoteKey(_ attribute: NameWords, _ column: NameWords) -> Bool {
        attribute.words == ["remote", "id"] && column.words == ["id"]
    }
}
