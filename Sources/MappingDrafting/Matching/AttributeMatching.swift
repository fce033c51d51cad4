import ManagedObjectModels
import RecordSources

/// Finds the column or path for each attribute of an entity.
struct AttributeMatching {
    /// By attribute, in the model's order.
    private(set) var matches: [AttributeMatch] = []
    /// The stored attributes that nothing is found for.
    private(set) var unfilled: [ResolvedAttribute] = []

    private let names: EntityNames
    private let candidates: [AttributeCandidates.Candidate]
    private let basis: DraftBasis
    private let tried = TriedConversions()

    /// - Parameter basis: with `.declarations` only columns that are named as the attribute.
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

    /// How many attributes have a column by its name.
    static func count(_ candidates: AttributeCandidates, _ names: EntityNames) -> Int {
        names.tokens.isDisjoint(with: candidates.tokens)
            ? 0 : AttributeMatching(candidates, names: names, basis: .sample).found(byValues: false).count
    }

    /// - Parameter byValues: whether values decide between names that are equally alike, and against those that they
    ///   cannot be meant by.
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
        // The surest likeness first, so that no column goes to an attribute that is merely similar.
        let likenesses: [AttributeMatch.Likeness] =
            basis == .declarations ? [.hint, .equal, .words] : [.hint, .equal, .words, .prefixed, .path, .synonym]
        let usesValues = byValues && basis == .sample
        var isAnyRefused = false
        for likeness in likenesses {
            // What the model names is meant, whatever its values are.
            guard usesValues, likeness != .hint else {
                takeFirst(likeness)
                continue
            }
            let pairs = open().map { named in
                (named: named, alike: candidates.indices.filter { mayTake($0, named, likeness) })
            }.filter { !$0.alike.isEmpty }
            // Of attributes with names that are equally alike, one whose type the values show goes first.
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
        // Names that are alike all the same: the draft says what is wrong with their values.
        if isAnyRefused { likenesses.forEach(takeFirst) }
        // The rest would keep every new object out.
        let missing = open().filter { names.required.contains($0.attribute.name) && isTelling($0) }
        for (attribute, candidate) in contained(missing, except: taken) { found[attribute] = (candidate, .contained) }
        return found
    }

    /// How the values of a column fit an attribute.
    private enum Fit {
        /// They cannot be its values.
        case none
        /// They may be, and as well something else.
        case possible
        /// They show the attribute's type.
        case telling
    }

    private func fit(_ candidate: Int, _ named: EntityNames.Attribute) -> Fit {
        let (values, type) = (candidates[candidate].values, named.attribute.type)
        if values.fields.isEmpty { return .possible }
        if type == .string { return .telling }
        guard conversion(of: candidate, to: named).isUsable else { return .none }
        // A small number is a moment of 1970 at best.
        return type == .date && DateForms.areSmallNumbers(values) ? .possible : .telling
    }

    /// The conversions that were tried, by candidates and the names of attributes.
    private final class TriedConversions {
        var drafts: [Int: [String: ConversionDraft]] = [:]
    }

    /// How a candidate's values become an attribute's: trying takes longer than comparing names, so each pair is tried
    /// once.
    private func conversion(of candidate: Int, to named: EntityNames.Attribute) -> ConversionDraft {
        if let known = tried.drafts[candidate]?[named.attribute.name] { return known }
        let draft = ConversionDraft(
            candidates[candidate].values, type: named.attribute.type, hints: named.hints, basis: basis)
        tried.drafts[candidate, default: [:]][named.attribute.name] = draft
        return draft
    }

    /// Whether a name says so much that a column with more words is still likely to mean it: what tells objects apart,
    /// or names them, is as often another object's.
    private func isTelling(_ attribute: EntityNames.Attribute) -> Bool {
        !DestinationKeys.isIdentifier(attribute.attribute.name, of: names.entity)
            && !DestinationKeys.names.contains(attribute.bareJoined)
    }

    /// The attributes for which there is one column only that contains their words, or is one of them at their end.
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
        // A column that several could mean belongs to none.
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
            // No more than a guess: the values must fit.
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

    /// Sync's convention: `remoteID` holds what the source calls `id`.
    private static func isRemoteKey(_ attribute: NameWords, _ column: NameWords) -> Bool {
        attribute.words == ["remote", "id"] && column.words == ["id"]
    }
}
