import KeyModel
import LatencyAnalysis
import TraceFormat
import TracePresses

extension InfoReport {
    /// Schema `keyflight.info/1`, one line with a line break.
    package var json: String {
        var object: JSONObject = [
            "schema": "keyflight.info/1", "version": info.file.version, "complete": info.file.isComplete,
            "level": info.level.name,
            "levels": info.levels.objects {
                ["level": $0.level.name, "from_ns": $0.from, "to_ns": $0.to, "seq": $0.sequence]
            },
            "bytes": info.file.bytes, "records": info.records, "key_events": info.keyEvents, "presses": info.presses,
            "numbered_presses": info.numberedPresses, "duration_ns": info.duration, "masked": info.isMasked,
        ]
        object.add([
            "devices": info.devices.objects(InfoReport.object),
            "clocks": info.clocks.objects {
                [
                    "source": $0.source, "unix_ns": $0.unixTime, "granularity_ns": $0.granularity,
                    "backward_steps": $0.backwardSteps,
                ]
            },
            "loss": info.loss.json, "form": info.file.form, "repeats": info.repeats, "cancels": info.cancels,
            "texts": info.texts, "resolutions": info.resolutions, "idle_reports": info.idleReports,
            "unknown_records": info.unknownRecords, "clock_relations": info.clockRelations.objects(InfoReport.object),
            "layouts": info.layouts.objects {
                ["name": $0.name, "hash": $0.hash.hexadecimal(16), "stored": $0.isStored]
            },
        ])
        if let adapter = info.adapter { object.add("adapter", InfoReport.object(adapter)) }
        object.add("environment", info.environment.objects { ["name": $0.name, "value": $0.value] })
        return object.line
    }

    private static func object(_ adapter: AdapterDescription) -> JSONObject {
        [
            "toolkit": adapter.toolkit, "version": adapter.version,
            "hooks": adapter.hooks.objects {
                ["name": $0.name, "state": $0.state.rawValue, "methods": $0.methods, "reason": $0.reason]
            },
            "install_ns": adapter.installTime,
        ]
    }

    private static func object(_ device: DeviceRecord) -> JSONObject {
        var object: JSONObject = ["id": device.device, "name": device.name, "source": device.source]
        // A Bluetooth keyboard has no endpoint.
        object.addKnown([
            "bus": device.bus, "address": device.address, "endpoint": device.endpoint, "adapter": device.adapter,
            "transport": device.transport, "handle": device.handle, "attribute": device.attribute,
            "vid": device.vendor, "pid": device.product,
        ])
        return object
    }

    private static func object(_ relation: ClockRelationRecord) -> JSONObject {
        [
            "source": relation.source, "reference": relation.reference, "offset_ns": relation.offset,
            "uncertainty_ns": relation.uncertainty, "drift_ppb": relation.drift, "residual_ns": relation.residual,
            "matches": relation.matches, "first_ns": relation.first, "last_ns": relation.last,
        ]
    }
}

extension LossSummary {
    /// The value of `loss`, the same in every report.
    var json: JSONObject {
        var object: JSONObject = [
            "dropped": dropped,
            "gaps": gaps.objects {
                [
                    "t_ns": $0.time, "duration_ns": $0.duration, "cause": $0.cause.name, "count": $0.count,
                    "detail": $0.detail,
                ]
            },
        ]
        if gapsLeftOut > 0 { object.add("gaps_left_out", gapsLeftOut) }
        object.add([
            "synthetic": synthetic,
            "damaged": damage.object { ["offset": $0.offset, "reason": $0.reason, "records_lost": $0.recordsLost] },
            "uncounted_drops": uncountedDrops,
        ])
        return object
    }
}

extension TraceInfo {
    /// The last members of a report: what is missing, and what was derived and not recorded.
    var jsonEnd: JSONObject {
        guard let rules = file.derivation else { return ["loss": loss.json] }
        return [
            "loss": loss.json,
            "derived": [
                "profile": rules.profile.name, "profile_recorded": rules.profile.origin == .recorded,
                "layout": rules.layout.name, "layout_recorded": rules.layout.origin == .recorded,
                "presses": rules.derived, "recorded": rules.recorded, "contradicted": rules.contradicted,
                "undetermined": rules.undetermined,
            ] as JSONObject,
        ]
    }
}
